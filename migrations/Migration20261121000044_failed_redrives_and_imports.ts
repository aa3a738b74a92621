import { Migration } from '@mikro-orm/migrations';

/** Redrives and contact imports that a permanent error stops end as failed. */
export class Migration20261121000044_failed_redrives_and_imports extends Migration {
  override up(): void {
    this.addSql(`
      alter table redrives drop constraint redrives_status_check;
      alter table redrives add constraint redrives_status_check check (status in ('pending', 'running', 'completed', 'cancelled', 'failed'));

      alter table contact_imports drop constraint contact_imports_status_check;
      alter table contact_imports add constraint contact_imports_status_check check (status in ('processing', 'completed', 'failed'));
    `);
  }
}
