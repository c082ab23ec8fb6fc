import type { V1Container, V1ContainerState, V1ContainerStatus } from '@kubernetes/client-node'
import type { Clock } from '../../../../../shared/clock/clock.ts'
import { messageOf } from '../../../../../shared/text/message-of.ts'
import type { RunningContainer } from '../container/start-container.ts'
import { type RestartDelays, type RestartHistory, restartDelay, withEnd } from './restart-delay.ts'
import { runHandler } from './run-handler.ts'
import { type RunningProbes, startProbes } from './start-probes.ts'

/** A started container with the facts of its end. */
export interface StartedContainer {
  readonly running: RunningContainer
  readonly address: string
  /** Releases its resources after its end. Returns true if the memory limit has killed it. */
  release(): Promise<{ readonly outOfMemory: boolean }>
}

/** The container cannot start yet. It is tried again. */
export class WaitingError extends Error {
  override readonly name = 'WaitingError'
  /** The reason in the status: ImagePullBackOff, CreateContainerConfigError. */
  readonly reason: string

  constructor(reason: string, message: string) {
    super(message)
    this.reason = reason
  }
}

export interface ContainerLifeOptions {
  readonly container: V1Container
  readonly restartPolicy: string
  readonly graceSeconds: number
  readonly clock: Clock
  readonly delays: RestartDelays
  /** Throws a `WaitingError` until it can start. */
  start(): Promise<StartedContainer>
  changed(): void
}

/** The life of one container of a Pod, over all its restarts. */
export interface ContainerLife {
  readonly name: string
  readonly image: string
  status(): V1ContainerStatus
  running(): RunningContainer | undefined
  /** Resolves when it has ended and does not restart. */
  readonly done: Promise<void>
  /** Ends it: preStop, SIGTERM, and SIGKILL after the grace period. */
  stop(graceSeconds: number): Promise<void>
}

/** The wait between two attempts to start a container. */
const retryMs = 500
/** A kubelet grants this time after SIGTERM, even if preStop has used up the grace period. */
const leastGraceMs = 2_000

export const startContainerLife = (options: ContainerLifeOptions): ContainerLife => {
  const { container, restartPolicy, clock, delays, changed } = options
  const stopping = new AbortController()
  let state: V1ContainerState = { waiting: { reason: 'ContainerCreating' } }
  let lastState: V1ContainerState = {}
  let restartCount = 0
  let current: StartedContainer | undefined
  let ending: StartedContainer | undefined
  let probes: RunningProbes | undefined
  let history: RestartHistory | undefined

  const become = (next: V1ContainerState) => {
    state = next
    changed()
  }
  const pause = (ms: number) => clock.sleep(ms, stopping.signal).catch(() => {})

  const end = async (started: StartedContainer, graceSeconds: number): Promise<void> => {
    const { running, address } = started
    // A failed probe and the end of the Pod may coincide.
    if (ending === started) return void (await running.ended)
    ending = started
    const deadline = clock.now() + graceSeconds * 1000
    const preStop = container.lifecycle?.preStop
    if (preStop) {
      const limit = new AbortController()
      const cancel = clock.after(graceSeconds * 1000, () => limit.abort())
      running.ended.then(() => limit.abort())
      await runHandler(preStop, { container, running, address }, limit.signal)
      cancel()
    }
    running.signal('TERM')
    const cancel = clock.after(Math.max(deadline - clock.now(), leastGraceMs), () => running.signal('KILL'))
    await running.ended
    cancel()
  }

  const attempt = async (): Promise<StartedContainer | undefined> => {
    while (!stopping.signal.aborted) {
      try {
        return await options.start()
      } catch (error) {
        const reason = error instanceof WaitingError ? error.reason : 'RunContainerError'
        const message = messageOf(error)
        if (state.waiting?.message !== message) become({ waiting: { reason, message } })
        await pause(retryMs)
      }
    }
    return undefined
  }

  /** Runs it once. Returns its exit code, or undefined if it is to stop before its start. */
  const runOnce = async (): Promise<number | undefined> => {
    const started = await attempt()
    if (!started) return undefined
    const { running, address } = started
    if (stopping.signal.aborted) running.signal('KILL')
    current = started
    const startedAt = new Date(clock.now())
    const target = { container, running, address }
    const postStart = container.lifecycle?.postStart
    const watch = () => {
      probes = startProbes(container, target, {
        changed,
        unhealthy: () =>
          void end(started, container.livenessProbe?.terminationGracePeriodSeconds ?? options.graceSeconds),
      })
      become({ running: { startedAt } })
    }
    if (!postStart) watch()
    else {
      runHandler(postStart, target, stopping.signal).then(failure => {
        if (current !== started) return
        if (failure === undefined) watch()
        else void end(started, options.graceSeconds)
      })
    }
    const exitCode = await running.ended
    probes?.stop()
    probes = undefined
    current = undefined
    const { outOfMemory } = await started.release()
    const reason = outOfMemory ? 'OOMKilled' : exitCode === 0 ? 'Completed' : 'Error'
    become({
      terminated: {
        ...{ exitCode, reason, startedAt, finishedAt: new Date(clock.now()) },
        containerID: containerId(),
      },
    })
    return exitCode
  }

  const restarts = (exitCode: number) =>
    restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0)

  const containerId = () => `containerd://${container.name}-${restartCount}`

  const run = async (): Promise<void> => {
    for (;;) {
      const exitCode = await runOnce()
      if (exitCode === undefined || stopping.signal.aborted || !restarts(exitCode)) return
      history = withEnd(history, clock.now(), delays)
      const delay = restartDelay(history, delays)
      lastState = state
      if (delay > 0) {
        const message = `back-off ${delay / 1000}s restarting failed container=${container.name}`
        become({ waiting: { reason: 'CrashLoopBackOff', message } })
        await pause(delay)
        if (stopping.signal.aborted) return
      }
      restartCount++
    }
  }
  const done = run()

  return {
    name: container.name,
    image: container.image ?? '',
    status: () => ({
      name: container.name,
      image: container.image ?? '',
      imageID: container.image ?? '',
      containerID: containerId(),
      state,
      lastState,
      restartCount,
      ready: state.running !== undefined && (probes?.ready() ?? false),
      started: state.running !== undefined && (probes?.started() ?? false),
    }),
    running: () => current?.running,
    done,
    stop: async graceSeconds => {
      stopping.abort()
      probes?.onlyReadiness()
      const started = current
      if (started) await end(started, graceSeconds)
      await done
    },
  }
}
