import { readdir, readFile } from 'node:fs/promises'
import { usageOf } from '../process-usage.ts'

/** The use of processes. Sizes in MB (10^6 bytes). */
interface TreeUsage {
  /** Processor time of all threads, in ms. */
  readonly cpuMs: number
  /** The sum of the resident sets. Pages that processes share count in each. */
  readonly residentMb: number
  /** The sum of the proportional sets. A shared page counts once. */
  readonly proportionalMb: number
}

/** Returns the use of a process and its children. */
export const usageOfTree = async (pid: number): Promise<TreeUsage> => {
  const all = await Promise.all([pid, ...(await childrenOf(pid))].map(usageOfOne))
  return {
    cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    residentMb: all.reduce((sum, { residentMb }) => sum + residentMb, 0),
    proportionalMb: all.reduce((sum, { proportionalMb }) => sum + proportionalMb, 0),
  }
}

const childrenOf = async (pid: number): Promise<readonly number[]> => {
  const tasks = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(tasks.map(task => readFile(`/proc/${pid}/task/${task}/children`, 'utf8')))
  return lists.flatMap(list => list.split(' ').filter(Boolean).map(Number))
}

const usageOfOne = async (pid: number): Promise<TreeUsage> => {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const mb = (field: string) =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024) / 1e6
  const usage = await usageOf(pid)
  return { cpuMs: usage?.cpuMs ?? Number.NaN, residentMb: mb('Rss'), proportionalMb: mb('Pss') }
}
