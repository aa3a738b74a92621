import type { Contract } from '../contract/contract.ts';
import type { JsonSchema } from '../contract/json-schema.ts';

/**
 * Removes fields from a body that count as absent: optional fields that are null or an empty
 * text, at any depth that the schema describes. A field whose type includes null keeps it, because null has a meaning
 * there, such as clearing the field in an update; an empty text becomes null. Required fields, and fields with names
 * of the caller's choice (metadata), stay unchanged.
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

/** The types that a schema names, including those in `allOf`. */
export function typesOf(unresolved: JsonSchema, contract: Pick<Contract, 'resolve'>): string[] {
  const { type = [], allOf = [] } = contract.resolve(unresolved);
  return [type, ...allOf.map((part) => typesOf(part, contract))].flat();
}
