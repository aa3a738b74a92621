import type { Context } from './context.ts';

/** A value that stands after the command. */
export interface ArgumentSpec {
  /** In capitals, as the help shows it. */
  name: string;
  description: string;
  isOptional?: true;
  /** Whether the argument takes all remaining values. Only the last one can. */
  isRest?: true;
  choices?: readonly string[];
  /** Whether the shell completes the names of files. */
  isFile?: true;
}

export interface OptionSpec {
  type: 'string' | 'boolean' | 'integer';
  short?: string;
  /** The name of the value in the help, in capitals. */
  value?: string;
  description: string;
  choices?: readonly string[];
  isRequired?: true;
  /** Whether the option may be repeated. Its value is then a list. */
  multiple?: true;
  /** Whether the shell completes the names of files. */
  isFile?: true;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type OptionValue<Spec extends OptionSpec> = Spec extends { type: 'boolean' }
  ? boolean
  : Spec extends { multiple: true }
    ? string[]
    : Spec extends { type: 'integer' }
      ? number | (Spec extends { isRequired: true } ? never : undefined)
      : string | (Spec extends { isRequired: true } ? never : undefined);

/** The values of a command's options. A flag that is not given is false, and a list that is not given is empty. */
export type OptionValues<Specs extends OptionSpecs> = { [Name in keyof Specs]: OptionValue<Specs[Name]> };

export interface CommandSpec<Specs extends OptionSpecs = OptionSpecs> {
  /** The words of the command: `contacts import`. */
  name: string;
  /** One sentence. */
  summary: string;
  /** What a reader must know beyond the summary; paragraphs. */
  description?: readonly string[];
  arguments?: readonly ArgumentSpec[];
  options?: Specs;
  examples: readonly string[];
  /** Whether the command runs until Ctrl-C, which is then a success. */
  isEndless?: true;
  /** Runs the command. A returned false is a failure that the output has explained. */
  run: (
    context: Context,
    values: { options: OptionValues<Specs>; args: string[] },
  ) => Promise<boolean | void>;
}

/** A command without the types of its options. */
export type Command = CommandSpec & { options: OptionSpecs; arguments: readonly ArgumentSpec[] };

/** Defines a command. The types of its options' values follow from their descriptions. */
export function defineCommand<const Specs extends OptionSpecs>(spec: CommandSpec<Specs>): Command {
  return { ...spec, options: spec.options ?? {}, arguments: spec.arguments ?? [] } as unknown as Command;
}

/** The options of every command. */
export const globalOptions = {
  json: { type: 'boolean', description: 'Print JSON: one document, or one line for each event. Errors too.' },
  profile: {
    type: 'string',
    value: 'NAME',
    description: 'Use this profile instead of the last one that signed in.',
  },
  organization: {
    type: 'string',
    value: 'ID',
    description: 'Act for this organization (only with a session).',
  },
  help: { type: 'boolean', short: 'h', description: 'Print the help of the command.' },
} as const satisfies OptionSpecs;
