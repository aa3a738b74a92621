import express from 'express';
import { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';

/**
 * The yardstick for requests that store something: Express and pg, one statement for each request, and nothing else.
 * It runs as a process of its own, as the API does. Arguments: the port and the URL of the database.
 */
const [port, connectionString] = process.argv.slice(2);
const pool = new Pool({ connectionString, max: 10 });
await pool.query(`create table if not exists bare_messages (
  id uuid primary key, recipient text not null, text text not null, status text not null, created_at timestamptz not null
)`);

const app = express();
app.use(express.json());
app.post('/messages', async (request, response) => {
  const { to, text } = request.body as { to: string; text: string };
  const id = uuidv7();
  await pool.query('insert into bare_messages values ($1, $2, $3, $4, $5)', [
    id,
    to,
    text,
    'queued',
    new Date(),
  ]);
  response.status(202).json({ id, to, text, status: 'queued' });
});
app.get('/reports', async (request, response) => {
  await pool.query('update bare_messages set status = $2 where id = $1', [request.query['id'], 'delivered']);
  response.end();
});
app.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
process.once('disconnect', () => process.exit(0));
