/** Settles as the work does, or rejects after a time. The work itself goes on. */
export async function withinTime<T>(work: Promise<T>, timeMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No result within ${timeMs} ms.`)), timeMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
