import { useQuery } from '@tanstack/react-query';
import type { InboundKeywordMatch } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { Field, Input } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { FormFailure } from '../../form.tsx';
import { useSettled } from '../../use-settled.ts';
import { useOrganization } from '../organizations/organization.ts';
import { keywordTestQuery } from './inbound.ts';
import { useText } from './text.ts';

/** Tries a text: which rule would answer it, and with what. */
export function KeywordTester(): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const [text, setText] = useState('');
  const settled = useSettled(text.trim());
  const { data, error } = useQuery(keywordTestQuery(organizationId, settled));
  return (
    <Card title={t('tryText')} className="flex flex-col gap-3 p-4">
      <Field label={t('textOfPhone')} hint={t('tryHint')}>
        <Input value={text} maxLength={1600} onChange={(event) => setText(event.target.value)} />
      </Field>
      <FormFailure error={error} />
      <div role="status">{settled !== '' && data !== undefined && <Match match={data} />}</div>
    </Card>
  );
}

function Match({ match: { matched, rule, reply } }: { match: InboundKeywordMatch }): ReactNode {
  const t = useText();
  const title =
    matched === null
      ? t('matchesNone')
      : rule === null
        ? t(matched === 'stop' ? 'matched_stop' : 'matched_start')
        : t('matchesRule', { keyword: rule.keyword });
  return (
    <div className="rounded-md bg-sunken px-3 py-2.5">
      <p className="font-medium">{title}</p>
      {rule !== null && <p className="text-sm text-muted">{`${t('matchType')}: ${t(rule.matchType)}`}</p>}
      {reply !== null && (
        <p className="mt-1 text-sm [overflow-wrap:anywhere] whitespace-pre-wrap text-muted">
          {t('answeredWith', { reply })}
        </p>
      )}
    </div>
  );
}
