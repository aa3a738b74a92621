import type { Contract } from './contract.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * Removes from a body what is as good as not given (contract section 1): null, and an empty text, in a field that is
 * not required, at any depth that the schema describes. A field whose type names null gives it a meaning of its
 * own, as in a change that empties a field: there an empty text is null. Required fields, and what callers call
 * by names of their own (metadata), stay as they are.
 */
export function dropAbsent(body: unknown, unresolved: JsonSchema, contract: Pick<Contract, 'resolve'>): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const { properties = {}, required = [] } = contract.resolve(unresolved);
  const fields = body as Record<string, unknown>;
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(fields, name)) continue;
    const value = fields[name];
    dropAbsent(value, property, contract);
    if ((value !== null && value !== '') || required.includes(name)) continue;
    const types = typesOf(property, contract);
    if (value === '' && !types.includes('string')) continue;
    if (types.includes('null')) fields[name] = null;
    else delete fields[name];
  }
}

/** The types that a schema names, in `allOf` too. */
export function typesOf(unresolved: JsonSchema, contract: Pick<Contract, 'resolve'>): string[] {
  const { type = [], allOf = [] } = contract.resolve(unresolved);
  return [type, ...allOf.map((part) => typesOf(part, contract))].flat();
}
