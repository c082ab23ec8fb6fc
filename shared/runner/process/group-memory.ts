import { readdirSync, readFileSync } from 'node:fs'

interface ProcessStatus {
  readonly parent: number
  readonly group: number
  readonly bytes: number
}

/** Reads the status of a process (proc_pid_status(5)). Undefined if it has ended, or the system does not show it. */
const statusOf = (pid: number): ProcessStatus | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    const field = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)
    return {
      parent: field(/^PPid:\s+(\d+)$/m),
      group: field(/^NSpgid:\s+(\d+)/m),
      bytes: field(/^VmRSS:\s+(\d+) kB$/m) * 1024,
    }
  } catch {
    return undefined
  }
}

/**
 * Returns the resident memory in bytes of a process, its process group and its descendants. Pages that they share count
 * for each. Undefined if the system does not show the process.
 */
export const groupMemory = (leader: number): number | undefined => {
  const own = statusOf(leader)
  if (own === undefined || own.bytes === 0) return undefined
  const others = readdirSync('/proc').flatMap(name => {
    const status = /^\d+$/.test(name) && Number(name) !== leader ? statusOf(Number(name)) : undefined
    return status === undefined ? [] : [{ pid: Number(name), ...status }]
  })
  const members = new Set([leader])
  let bytes = own.bytes
  for (let before = 0; before < members.size; ) {
    before = members.size
    for (const { pid, parent, group, bytes: more } of others) {
      if (members.has(pid) || (group !== leader && !members.has(parent))) continue
      members.add(pid)
      bytes += more
    }
  }
  return bytes
}
