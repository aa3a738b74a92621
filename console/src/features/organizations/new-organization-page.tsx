import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { AuthPage } from '../auth/auth-page.tsx';
import { useUser } from '../auth/session.ts';
import { useSignOut } from '../auth/use-sign-out.ts';
import { organizationsQuery } from './organization.ts';
import { slugOf } from './slug-of.ts';
import { useText } from './text.ts';

export function NewOrganizationPage(): ReactNode {
  const t = useText();
  const { data: organizations = [] } = useQuery(organizationsQuery);
  return (
    <AuthPage
      title={t('newOrganization')}
      description={t('newOrganizationHint')}
      footer={organizations.length > 0 ? <Leave /> : <OtherWays />}
    >
      <NewOrganizationForm />
    </AuthPage>
  );
}

const linkLook = 'font-medium text-accent hover:underline';

function Leave(): ReactNode {
  const t = useText();
  return (
    <Link to="/" className={linkLook}>
      {t('back')}
    </Link>
  );
}

/** For people who belong to no organization, and may not want one of their own. */
function OtherWays(): ReactNode {
  const t = useText();
  const { email } = useUser();
  const signOut = useSignOut();
  return (
    <span className="flex flex-col items-center gap-2 text-center">
      <span>
        {t('invited')}{' '}
        <Link to="/invitations" className={linkLook}>
          {t('invitations')}
        </Link>
      </span>
      <span>
        {t('signedInAs', { email })}{' '}
        <button type="button" className={linkLook} onClick={() => signOut.mutate()}>
          {t('signOut')}
        </button>
      </span>
    </span>
  );
}

function NewOrganizationForm(): ReactNode {
  const t = useText();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const schema = useMemo(
    () =>
      z.object({
        name: z.string().check(z.minLength(1, t('nameMissing')), z.maxLength(100, t('nameTooLong'))),
        slug: z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, t('slugInvalid'))),
      }),
    [t],
  );
  const form = useApiForm({
    schema,
    defaultValues: { name: '', slug: '' },
    submit: (values) => sms.organizations.create(values),
    onSuccess: async ({ slug }) => {
      await queryClient.invalidateQueries(organizationsQuery);
      await navigate({ to: '/o/$organization', params: { organization: slug } });
    },
  });
  const { control, setValue, getFieldState } = form;
  const [name, slug] = useWatch({ control, name: ['name', 'slug'] });
  useEffect(() => {
    // The proposal follows the name until the reader writes their own.
    if (!getFieldState('slug').isDirty) setValue('slug', slugOf(name));
  }, [name, setValue, getFieldState]);
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <TextField
        control={control}
        name="name"
        label={t('organizationName')}
        autoComplete="organization"
        placeholder={t('organizationExample')}
      />
      <TextField
        {...{ control, name: 'slug', label: t('slug') }}
        hint={t('slugHint', { address: `/console/o/${slug || '…'}` })}
      />
      <FormFailure error={form.failure} />
      <Button type="submit" variant="primary" isPending={form.isPending}>
        {t('createOrganization')}
      </Button>
    </form>
  );
}
