import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from '@tanstack/react-query';
import { useToast } from './design/toast.tsx';
import { useDescribeError } from './errors.ts';

interface ActionOptions<Input, Result> {
  run: (input: Input) => Promise<Result>;
  /** What the reader is told when it has succeeded. */
  done: (result: Result, input: Input) => { title: string; description?: string };
  /** The beginnings of the keys of the queries whose answers it changes. */
  changes: QueryKey[];
  /** Whether the caller shows the failure itself, so that no toast is needed. */
  showsFailure?: boolean;
  onDone?: (result: Result) => void;
}

/** An action of a button: what it has done, or why it failed, is said in a toast. */
export function useAction<Input, Result>({
  run,
  done,
  changes,
  showsFailure = false,
  onDone,
}: ActionOptions<Input, Result>): UseMutationResult<Result, Error, Input> {
  const toast = useToast();
  const describe = useDescribeError();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: async (result, input) => {
      toast(done(result, input));
      onDone?.(result);
      await Promise.all(changes.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
    onError: (error) => {
      if (showsFailure) return;
      const { title, detail } = describe(error);
      toast({ title, description: detail, kind: 'failure' });
    },
  });
}
