import type { PostAnswer } from '../../events/events.ts'
import type { ProgramProcess, ProgramStarter } from '../program-process.ts'

/** A process in a test: it answers, hangs or ends as the test says. */
export interface FakeProcess {
  readonly program: string
  /** The ids of the received events, in order. */
  readonly received: string[]
  readonly paths: string[]
  readonly signals: string[]
  memory: number | undefined
  responds: boolean
  /** Ignores SIGTERM. */
  isStubborn: boolean
  /** Answers the oldest open request. */
  answer(status?: number, body?: string): void
  /** The number of open requests. */
  open(): number
  crash(): void
}

export interface FakeStarter extends ProgramStarter {
  readonly processes: FakeProcess[]
  /** The error of every start. */
  problem: string | undefined
  missingFile: string | undefined
  /** Answers each request at once with this status. Undefined: the test answers. */
  status: number | undefined
  last(): FakeProcess
}

export const fakeStarter = (): FakeStarter => {
  const processes: FakeProcess[] = []
  const starter: FakeStarter = {
    processes,
    problem: undefined,
    missingFile: undefined,
    status: 204,
    missing: async () => starter.missingFile,
    last: () => {
      const last = processes.at(-1)
      if (last === undefined) throw new Error('no process has started')
      return last
    },
    start: async program => {
      if (starter.problem !== undefined) throw new Error(starter.problem)
      const { fake, process } = newProcess(program.name, () => starter.status)
      processes.push(fake)
      return process
    },
  }
  return starter
}

const newProcess = (program: string, status: () => number | undefined) => {
  const ended = Promise.withResolvers<string>()
  const requests: PromiseWithResolvers<PostAnswer>[] = []
  const end = (how: string) => {
    for (const request of requests.splice(0)) request.reject(new Error('socket hang up'))
    ended.resolve(how)
  }
  const fake: FakeProcess = {
    program,
    received: [],
    paths: [],
    signals: [],
    memory: 50 * 2 ** 20,
    responds: true,
    isStubborn: false,
    answer: (status = 204, body = '') =>
      requests.shift()?.resolve({ status, headers: {}, body: Buffer.from(body) }),
    open: () => requests.length,
    crash: () => end('exit code 1'),
  }
  const process: ProgramProcess = {
    pid: 1,
    ended: ended.promise,
    stop: signal => {
      fake.signals.push(signal)
      if (signal === 'SIGKILL' || !fake.isStubborn) end(`signal ${signal}`)
    },
    memory: () => fake.memory,
    post: async (path, { headers }) => {
      fake.received.push(headers['ce-id'] ?? '')
      fake.paths.push(path)
      const request = Promise.withResolvers<PostAnswer>()
      requests.push(request)
      const now = status()
      if (now !== undefined) fake.answer(now)
      return request.promise
    },
    responds: async () => fake.responds,
    disconnect: () => {},
  }
  return { fake, process }
}
