/** Errors of the system when it creates a process. */
const advice: Readonly<Record<string, string>> = {
  EAGAIN: 'The limit of processes is reached: increase the pid limit of the pod (podPidsLimit)',
  ENOMEM: 'The memory for another process is missing: increase the memory limit of the pod',
  EACCES: 'The image must allow the account of the pod to execute node and to read /trellis/programs',
  EPERM: 'A security profile of the pod forbids new processes',
  ENOENT: 'The image must contain node',
  EMFILE: 'The limit of open files is reached: increase it for the container',
  ENFILE: 'The limit of open files of the node is reached',
  E2BIG: 'The variables of the program in TRELLIS_PROGRAMS are too long: shorten them',
}

/** Returns the advice on a failed start, as the end of a sentence. */
export const adviceOnStart = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = advice[code]
  return known === undefined ? '' : `. ${known}`
}

/** Returns the advice on a process that ended, as the end of a sentence. */
export const adviceOnEnd = (how: string, lines: readonly string[]): string => {
  if (lines.some(line => line.includes('heap out of memory')))
    return ". V8's heap was full: increase --max-old-space-size in NODE_OPTIONS and memory in TRELLIS_PROGRAMS"
  return how === 'signal SIGKILL'
    ? '. Perhaps the kernel needed memory: increase the memory limit of the pod'
    : ''
}

/**
 * Returns true if Node or V8 refused the snapshot: another version or other flags built it, or the file is incomplete.
 */
export const isSnapshotProblem = (text: string): boolean =>
  /snapshot/i.test(text) || /^the process ended: signal SIG(?:ABRT|SEGV|TRAP|ILL|BUS)/.test(text)
