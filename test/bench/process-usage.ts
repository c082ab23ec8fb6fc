import { readdir, readFile } from 'node:fs/promises'

/** The resource usage of a process. Sizes in MB (10^6 bytes). */
export interface ProcessUsage {
  readonly residentMb: number
  /** The peak since the start. */
  readonly peakMb: number
  /** CPU time of all threads, in ms; it grows in steps of 10. */
  readonly cpuMs: number
}

/** Reads /proc (proc(5)). Returns undefined on systems without it, and for a process that has ended. */
export const usageOf = async (pid: number | undefined): Promise<ProcessUsage | undefined> => {
  const [status, stat] = await Promise.all(
    ['status', 'stat'].map(file => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
  )
  if (!status || !stat) return undefined
  // The fields after the name, which may contain any character; utime and stime are the 14th and 15th of the line.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return { residentMb: mb(status, 'VmRSS'), peakMb: mb(status, 'VmHWM'), cpuMs: ticks * 10 }
}

/** The same, but throws if it is unknown. */
export const knownUsageOf = async (pid: number | undefined): Promise<ProcessUsage> => {
  const usage = await usageOf(pid)
  if (usage === undefined) throw new Error('the system does not tell what a process takes')
  return usage
}

/** Returns the use of a process and its children: CPU time, and the sums of their resident and proportional sets. */
export const usageOfTree = async (pid: number) => {
  const tasks = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(tasks.map(task => readFile(`/proc/${pid}/task/${task}/children`, 'utf8')))
  const pids = [pid, ...lists.flatMap(list => list.split(' ').filter(Boolean).map(Number))]
  const all = await Promise.all(
    pids.map(async one => {
      const text = await readFile(`/proc/${one}/smaps_rollup`, 'utf8')
      return {
        cpuMs: (await usageOf(one))?.cpuMs ?? Number.NaN,
        residentMb: mb(text, 'Rss'),
        proportionalMb: mb(text, 'Pss'),
      }
    }),
  )
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
  return {
    cpuMs: sum(({ cpuMs }) => cpuMs),
    /** Pages that processes share count in each. */
    residentMb: sum(({ residentMb }) => residentMb),
    /** A shared page counts once. */
    proportionalMb: sum(({ proportionalMb }) => proportionalMb),
  }
}

const mb = (text: string, field: string): number =>
  (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024) / 1e6
