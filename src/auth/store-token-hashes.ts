import {
  ColumnNode,
  OperationNodeTransformer,
  PrimitiveValueListNode,
  ReferenceNode,
  ValueNode,
  ValuesNode,
  type BinaryOperationNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';
import { hashSessionToken } from './session-token.ts';

/** The column of sessions; no other table of better-auth's has one of this name. */
const column = 'token';

/**
 * Keeps the tokens of sessions out of the database: better-auth has no setting for it. In its statements a token is
 * replaced by its hash, where one is stored and where one is looked for; in the rows of that same statement the hash
 * is replaced by the token. A row that was found by anything else shows the hash, which opens nothing.
 */
export class StoreTokenHashes extends OperationNodeTransformer implements KyselyPlugin {
  /** What the hashes of a statement under way were made of. */
  readonly #tokens = new WeakMap<QueryId, Map<unknown, string>>();

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.transformNode(node, queryId);
  }

  // oxlint-disable-next-line typescript/require-await -- the interface asks for a promise
  async transformResult({ queryId, result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const tokens = this.#tokens.get(queryId);
    if (!tokens) return result;
    const rows = result.rows.map((row) =>
      tokens.has(row[column]) ? { ...row, [column]: tokens.get(row[column]) } : row,
    );
    return { ...result, rows };
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId: QueryId): InsertQueryNode {
    const insert = super.transformInsertQuery(node, queryId);
    const position = insert.columns?.findIndex((inserted) => inserted.column.name === column) ?? -1;
    if (position < 0 || !insert.values || !ValuesNode.is(insert.values)) return insert;
    const values = insert.values.values.map((row) => {
      if (!PrimitiveValueListNode.is(row)) throw new Error('A session is stored by its plain values.');
      return PrimitiveValueListNode.create(
        row.values.with(position, this.#hash(row.values[position], queryId)),
      );
    });
    return { ...insert, values: ValuesNode.create(values) };
  }

  protected override transformBinaryOperation(
    node: BinaryOperationNode,
    queryId: QueryId,
  ): BinaryOperationNode {
    const operation = super.transformBinaryOperation(node, queryId);
    if (!isTokenColumn(operation.leftOperand)) return operation;
    const { rightOperand } = operation;
    if (ValueNode.is(rightOperand)) {
      return { ...operation, rightOperand: ValueNode.create(this.#hash(rightOperand.value, queryId)) };
    }
    if (PrimitiveValueListNode.is(rightOperand)) {
      const values = rightOperand.values.map((value) => this.#hash(value, queryId));
      return { ...operation, rightOperand: PrimitiveValueListNode.create(values) };
    }
    throw new Error('A session is looked for by its token, or by several.');
  }

  #hash(token: unknown, queryId: QueryId): string {
    const hash = hashSessionToken(String(token));
    const tokens = this.#tokens.get(queryId) ?? new Map<unknown, string>();
    this.#tokens.set(queryId, tokens.set(hash, String(token)));
    return hash;
  }
}

function isTokenColumn(node: OperationNode): boolean {
  return ReferenceNode.is(node) && ColumnNode.is(node.column) && node.column.column.name === column;
}
