/** A family of scenarios. `main.ts` runs the jobs of all sets in several processes. */
export interface SimulationSet {
  readonly name: 'histories' | 'lives' | 'points' | 'random' | 'walks' | 'migration'
  /**
   * Returns the jobs in a fixed order, quick and specific ones first. Finite, or endless for scenarios at random. A job
   * is created without work, because each process runs only some of them.
   */
  jobs(options: JobOptions): Iterable<SimulationJob>
}

export interface JobOptions {
  /** The seed of scenarios at random. */
  readonly seed: string
  /** Names of functions: only jobs in which one of them works. Undefined: all. */
  readonly functions: readonly string[] | undefined
}

export interface SimulationJob {
  /** Unique in its set, and the same in each run: `aws-dnsrecord create, crash after write 3`. */
  readonly id: string
  /** Jobs with the same topic share work, so one process runs all of them. */
  readonly topic?: string
  /** Rejects only on a bug of the simulation itself. */
  run(): Promise<JobResult>
}

/** Classes of points at which a fault was injected (Sieve, OSDI'22). */
export interface PointCounts {
  /** Crashes, and answers that were lost. */
  readonly intermediate: number
  /** Reads of the past. */
  readonly stale: number
  /** Changes of which no watch reported an event. */
  readonly unobserved: number
}

export interface JobResult {
  /** The kinds of the objects, for the table: `DNSRecord`, or `shoot`. */
  readonly kinds: readonly string[]
  /** Number of runs, each with its own seed or fault. */
  readonly runs: number
  readonly points: PointCounts
  /** Virtual time of all runs, in ms. */
  readonly virtualMs: number
  readonly failures: readonly SimulationFailure[]
}

export interface SimulationFailure {
  /** Everything that repeats it: `aws-dnsrecord create, crash after write 3`, or a seed. */
  readonly what: string
  /** Each broken promise in a sentence. */
  readonly broken: readonly string[]
  /** The last lines of the shrunk trace. */
  readonly trace: readonly string[]
}

/** A world breaks invariants before any fault, so no job can begin in it. */
export class BrokenWorld extends Error {
  override readonly name = 'BrokenWorld'
  readonly broken: readonly string[]

  constructor(what: string, broken: readonly string[]) {
    super(`${what} without faults: ${broken.join('\n')}`)
    this.broken = broken
  }
}

/** Returns the result of a job whose world is broken already. */
export const brokenResult = ({ broken, message }: BrokenWorld): JobResult => ({
  kinds: ['world'],
  runs: 1,
  points: { intermediate: 0, stale: 0, unobserved: 0 },
  virtualMs: 0,
  failures: [{ what: message.split(':')[0] ?? '', broken, trace: [] }],
})
