import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { startedPort } from '../process-start.ts'
import { usageOf } from '../process-usage.ts'
import { type StartedKind, startWorld } from '../start-world.ts'
import { postEvent } from './post-event.ts'
import { serviceOf } from './service-of.ts'

const events = 200
/** After the last answer: until what passed through is collected, if it ever is. */
const settlingMs = 2_000

export interface BurstUsage {
  readonly residentMb: number
  readonly peakMb: number
  readonly eventsPerSecond: number
}

/** New objects, `events` at once, through one process of a function that is started as its pod starts it. */
export const burstUsage = async (
  name: string,
  kind: StartedKind,
  settings: Readonly<Record<string, string>>,
): Promise<BurstUsage> => {
  const world = await startWorld(kind)
  const { args, env } = world.functionStart
  const service = await serviceOf(name)
  const child = spawn(process.execPath, [...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...service.env, ...settings, ...env },
  })
  const ended = once(child, 'exit')
  try {
    const port = await startedPort(child.stdout)
    const objects = await Promise.all(Array.from({ length: events }, () => world.newObject()))
    const began = performance.now()
    let next = 0
    const worker = async () => {
      for (let object = objects[next++]; object !== undefined; object = objects[next++]) {
        const status = await postEvent(port, object.message)
        if (status !== 204) throw new Error(`the function answered ${status}`)
      }
    }
    await Promise.all(Array.from({ length: service.concurrency }, worker))
    const seconds = (performance.now() - began) / 1000
    await sleep(settlingMs)
    const usage = await usageOf(child.pid)
    if (usage === undefined) throw new Error('the system does not tell what a process takes')
    return { ...usage, eventsPerSecond: events / seconds }
  } finally {
    child.kill('SIGKILL')
    await ended
    await world.close()
  }
}
