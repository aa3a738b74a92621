import type { Schemas } from '../http/contract/contract-types.ts';
import { countSegments } from '../messages/segments.ts';
import {
  listMergeFields,
  maxProblems,
  parseMergeFields,
  renderMergeFields,
  type ParsedText,
} from './merge-fields.ts';
import type { Template } from './template.entity.ts';

/** A template as the API returns it. */
export type TemplateRecord = Schemas['Template'];

/** Stands in for a code when segments are counted: as long as codes are by default. */
const sampleCode = '000000';

export function toTemplateRecord(template: Template): TemplateRecord {
  const { id, name, content, category, scope, createdAt, updatedAt } = template;
  const parsed = parseMergeFields(content, { allowsCode: category === 'otp' });
  const { encoding, segments } = countSegments(renderMergeFields(parsed, { code: sampleCode }));
  return {
    id,
    organizationId: template.organization.id,
    name,
    content,
    category,
    scope,
    encoding,
    segments,
    mergeFields: listMergeFields(parsed),
    warnings: describeProblems(parsed),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** At most `maxProblems` sentences; the last says how many problems have none. */
function describeProblems({ problems, problemCount }: ParsedText): string[] {
  const warnings = problems.map(({ message }) => `Bulk SMS refuses this content: it ${message}.`);
  if (problemCount <= maxProblems) return warnings;
  const told = warnings.slice(0, maxProblems - 1);
  return [...told, `There are ${problemCount - told.length} more problems of this kind.`];
}
