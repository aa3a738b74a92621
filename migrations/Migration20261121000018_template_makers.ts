import { Migration } from '@mikro-orm/migrations';

/** Who made a template, so that of the members he alone may take it for himself. Of older ones of a team nobody knows. */
export class Migration20261121000018_template_makers extends Migration {
  override up(): void {
    this.addSql(`
      alter table templates add column maker_id uuid null;
      alter table templates add constraint templates_maker_id_foreign foreign key (maker_id) references users (id) on delete set null;
      update templates set maker_id = owner_id where owner_id is not null;
    `);
  }
}
