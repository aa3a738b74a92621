export function describeProcess(pid: number): string | undefined;
export function findRecordedProcess(file: string): number | undefined;
export function recordProcess(file: string, pid: number): void;
export function takeLock(file: string): number | undefined;
export function releaseLock(file: string): void;
