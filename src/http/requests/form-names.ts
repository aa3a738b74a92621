import { ApiError } from '../../errors.ts';
import { tooManyValues } from './body-room.ts';
import { pauseAfter } from '../pause-after.ts';
import { maxDepth, refuseProtoName, tooDeep } from '../storable-values.ts';

/** A form as it was sent, in either encoding. */
export interface Form {
  pairs: Iterable<FormPair>;
  /** The length of the form: reading a large one lets other requests have their turn. */
  bytes: number;
}

export type FormPair = [name: string, value: string];

/** What a form says of one field. What the names in brackets mean, the schema decides. */
export interface FormNode {
  /** The place of the field in the body, as errors name it. */
  path: string;
  /** The values of `name` and `name[]`, in the order of the form. */
  values: string[];
  /** Whether `name[]` occurs, which makes a list of one value too. */
  isList: boolean;
  /** By what stands in brackets after the name: `url` for `webhook[url]`. */
  parts: Map<string, FormNode>;
}

/** The maximum number of fields named name[0], name[1], …; more items come as name[] or as JSON. */
const maxNumberedFields = 1000;

/**
 * The maximum number of different field names in a form, with or without brackets, because they are decoded in one turn
 * of the event loop. The total number of fields has its own limit.
 */
const maxNames = 2000;

/** After this number of fields, other requests have their turn. */
const fieldsPerTurn = 5000;

/**
 * Collects the fields of a form by their names. Returns the body: a node without values.
 *
 * Each name is resolved once, however often it occurs: a phonebook of 100,000 contacts has that many fields.
 *
 * Errors: invalid_request for a name that cannot be read, malformed_body for too many numbered names.
 */
export async function collectFields({ pairs, bytes }: Form): Promise<FormNode> {
  const body = createNode('/body');
  const nodes = new Map<string, FormNode>();
  let [fields, numbered] = [0, 0];
  for (const [name, value] of pairs) {
    if ((fields += 1) % fieldsPerTurn === 0) await pauseAfter(bytes);
    let node = nodes.get(name);
    if (!node) {
      if (/\[\d+\]/.test(name) && (numbered += 1) > maxNumberedFields) throw tooManyNumbered();
      if (nodes.size >= maxNames) throw tooManyValues(maxNames);
      nodes.set(name, (node = findNode(body, name)));
    }
    node.values.push(value);
  }
  await pauseAfter(bytes);
  return body;
}

function createNode(path: string): FormNode {
  return { path, values: [], isList: false, parts: new Map() };
}

function findNode(body: FormNode, name: string): FormNode {
  const { parts, isList } = readName(name);
  let node = body;
  for (const part of parts) {
    let inner = node.parts.get(part);
    if (!inner) node.parts.set(part, (inner = createNode(`${node.path}/${part}`)));
    node = inner;
  }
  node.isList ||= isList;
  return node;
}

/** Resolves `a[b][c][]` to the parts a, b and c of a list. */
function readName(name: string): { parts: string[]; isList: boolean } {
  refuseProtoName(name);
  // A name may be as long as a body: no more of its brackets are looked at than a name may have.
  if (name.split('[', maxDepth + 2).length > maxDepth + 1) throw tooDeep();
  const [, first, inner, end] = /^([^[]*)((?:\[[^[\]]+\])*)(\[\])?$/.exec(name) ?? [];
  if (first === undefined || (first === '' && name !== '')) throw unreadableName(name);
  return {
    parts: [first, ...(inner ? inner.slice(1, -1).split('][') : [])],
    isList: end !== undefined,
  };
}

function unreadableName(name: string): ApiError {
  return new ApiError('invalid_request', 'The name of a field cannot be read; see errors.', {
    errors: [
      {
        path: `/body/${name}`,
        code: 'unknown_field',
        message: 'must be called name, name[property], name[0] or, at the end only, name[]',
      },
    ],
  });
}

function tooManyNumbered(): ApiError {
  return new ApiError(
    'malformed_body',
    `For more than ${maxNumberedFields} items, use name[] instead of name[0], or send the field as JSON.`,
  );
}
