import { setTimeout as sleep } from 'node:timers/promises'
import type { V1Container, V1Probe } from '@kubernetes/client-node'
import { afterProbe, firstProbeState, type ProbeState } from './probe-state.ts'
import { type HandlerTarget, runHandler } from './run-handler.ts'

export interface RunningProbes {
  started(): boolean
  ready(): boolean
  /** A Pod that ends is probed for readiness only. */
  onlyReadiness(): void
  stop(): void
}

export interface ProbeReports {
  changed(): void
  /** The startup or the liveness probe has failed: the container must restart. */
  unhealthy(reason: string): void
}

/** A kubelet sees within a second that a container runs, and then probes its readiness at once. */
const noticeMs = 1_000

/** Probes a container while it runs. Liveness and readiness start after startup. */
export const startProbes = (
  { startupProbe, readinessProbe, livenessProbe }: V1Container,
  target: HandlerTarget,
  reports: ProbeReports,
): RunningProbes => {
  const all = new AbortController()
  const health = new AbortController()
  const healthSignal = AbortSignal.any([all.signal, health.signal])
  let started = startupProbe === undefined
  let ready = false

  /** Calls `judge` after each result until it returns false. */
  const repeat = async (
    probe: V1Probe,
    signal: AbortSignal,
    judge: (state: ProbeState, reason: string) => boolean,
  ): Promise<void> => {
    const pause = (ms: number) => sleep(Math.max(ms, 0), undefined, { signal, ref: false })
    const { initialDelaySeconds = 0, periodSeconds = 10, timeoutSeconds = 1 } = probe
    try {
      await pause(initialDelaySeconds * 1000)
      for (let state = firstProbeState, count = 0; ; count++) {
        const limited = AbortSignal.any([signal, AbortSignal.timeout((timeoutSeconds || 1) * 1000)])
        const began = performance.now()
        const reason = await runHandler(probe, target, limited)
        signal.throwIfAborted()
        state = afterProbe(state, reason === undefined, probe)
        if (!judge(state, reason ?? '')) return
        const periodMs = (periodSeconds || 10) * 1000
        await pause((count === 0 ? Math.min(noticeMs, periodMs) : periodMs) - (performance.now() - began))
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  const whenStarted = () => {
    if (readinessProbe) {
      void repeat(readinessProbe, all.signal, ({ result }) => {
        if (ready !== (result === 'success')) {
          ready = result === 'success'
          reports.changed()
        }
        return true
      })
    }
    if (livenessProbe) {
      void repeat(livenessProbe, healthSignal, ({ result }, reason) => {
        if (result === 'failure') reports.unhealthy(`Liveness probe failed: ${reason}`)
        return result !== 'failure'
      })
    }
  }

  if (startupProbe) {
    void repeat(startupProbe, healthSignal, ({ result }, reason) => {
      if (result === 'failure') reports.unhealthy(`Startup probe failed: ${reason}`)
      if (result === 'success') {
        started = true
        whenStarted()
        reports.changed()
      }
      return result === 'unknown'
    })
  } else whenStarted()

  return {
    started: () => started,
    ready: () => started && (readinessProbe === undefined || ready),
    onlyReadiness: () => health.abort(),
    stop: () => all.abort(),
  }
}
