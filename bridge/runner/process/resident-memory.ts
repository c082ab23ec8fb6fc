import { readFileSync } from 'node:fs'

/** Returns the resident memory of a process in bytes. Undefined if the system does not show it. */
export const residentMemory = (pid: number): number | undefined => {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
