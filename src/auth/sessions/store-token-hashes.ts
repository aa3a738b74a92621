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

/** The column of sessions. No other table of better-auth has a column with this name. */
const column = 'token';

/**
 * Keeps session tokens out of the database; better-auth has no setting for this. In its statements each token that is
 * stored or searched for is replaced by its hash. In the rows of the same statement the hash is replaced by the token.
 * A row that was found by another column shows the hash, which gives no access.
 */
export class StoreTokenHashes extends OperationNodeTransformer implements KyselyPlugin {
  /** The tokens of the hashes in each statement in progress. */
  readonly #tokens = new WeakMap<QueryId, Map<unknown, string>>();

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.transformNode(node, queryId);
  }

  // oxlint-disable-next-line typescript/require-await -- the interface requires a promise
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
      if (!PrimitiveValueListNode.is(row)) throw new Error('A session must be inserted with plain values.');
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
    throw new Error('A session must be searched for by one token or a list of tokens.');
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
