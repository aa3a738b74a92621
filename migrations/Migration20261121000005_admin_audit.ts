import { Migration } from '@mikro-orm/migrations';

/** The audit log across organizations, one open invitation of an address, and messages that nothing deletes. */
export class Migration20261121000005_admin_audit extends Migration {
  override up(): void {
    this.addSql(`
      alter table audit_events drop constraint audit_events_action_check;
      alter table audit_events add constraint audit_events_action_check check (action in ('api_key.created', 'api_key.updated', 'api_key.revoked', 'member.role_changed', 'member.removed', 'invitation.created', 'invitation.accepted', 'invitation.rejected', 'invitation.cancelled', 'user.created', 'user.impersonated', 'user.impersonation_ended', 'user.role_changed', 'user.banned', 'user.unbanned'));
      create index audit_events_action on audit_events (action, id);
      create index audit_events_actor on audit_events (actor_id, id);
      create index audit_events_impersonator on audit_events ((details ->> 'impersonatedBy'), id) where details ->> 'impersonatedBy' is not null;
    `);
    // Of several open invitations of one address the newest stays, which is the one last mailed.
    this.addSql(`
      alter table invitations drop constraint invitations_status_check;
      alter table invitations add constraint invitations_status_check check (status in ('pending', 'accepted', 'rejected', 'canceled', 'expired'));
      update invitations set status = 'expired' where status = 'pending' and expires_at <= now();
      update invitations i set status = 'canceled' where status = 'pending' and exists (
        select from invitations newer where newer.organization_id = i.organization_id
          and lower(newer.email) = lower(i.email) and newer.status = 'pending'
          and (newer.created_at, newer.id) > (i.created_at, i.id)
      );
      create unique index invitations_open_unique on invitations (organization_id, lower(email)) where status = 'pending';
    `);
    // An organization that was handed messages cannot be deleted: what a caller was promised is not lost by accident.
    this.addSql(`
      alter table messages drop constraint messages_organization_id_foreign;
      alter table messages add constraint messages_organization_id_foreign foreign key (organization_id) references organizations (id) on delete restrict;
    `);
  }
}
