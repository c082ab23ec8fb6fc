import { readFile } from 'node:fs/promises'

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
  const mb = (field: string) =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024) / 1e6
  // The fields after the name, which may contain any character; utime and stime are the 14th and 15th of the line.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return { residentMb: mb('VmRSS'), peakMb: mb('VmHWM'), cpuMs: ticks * 10 }
}
