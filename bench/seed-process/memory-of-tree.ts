import { readdir, readFile } from 'node:fs/promises'

/** The memory of processes in MB (10^6 bytes). */
interface Memory {
  /** The sum of the resident sets. Pages that processes share count in each. */
  readonly residentMb: number
  /** The sum of the proportional sets. A shared page counts once. */
  readonly proportionalMb: number
}

/** Returns the memory of a process and its children. */
export const memoryOfTree = async (pid: number): Promise<Memory> => {
  const all = await Promise.all([pid, ...(await childrenOf(pid))].map(memoryOf))
  return {
    residentMb: all.reduce((sum, { residentMb }) => sum + residentMb, 0),
    proportionalMb: all.reduce((sum, { proportionalMb }) => sum + proportionalMb, 0),
  }
}

const childrenOf = async (pid: number): Promise<readonly number[]> => {
  const tasks = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(tasks.map(task => readFile(`/proc/${pid}/task/${task}/children`, 'utf8')))
  return lists.flatMap(list => list.split(' ').filter(Boolean).map(Number))
}

const memoryOf = async (pid: number): Promise<Memory> => {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const mb = (field: string) =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024) / 1e6
  return { residentMb: mb('Rss'), proportionalMb: mb('Pss') }
}
