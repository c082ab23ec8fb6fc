import type { Clock } from '../../../shared/clock/clock.ts'
import type { TransportRequest } from '../../../shared/kubernetes/kubernetes.ts'
import type { Exchange } from './exchange.ts'

/** The two sides of an exchange. */
export interface ExchangeSides<T> {
  /** Makes the request take effect. */
  readonly act: () => Promise<T>
  /** Returns the answer of a refusal, or throws its error. */
  readonly refuse: (status: number) => T
  /** Returns the error of a broken connection. `sent`: the request may have taken effect. */
  readonly broken: (sent: boolean) => Error
  readonly signal?: AbortSignal | undefined
}

/**
 * A process of the simulation: code that meets the world only through this clock and these exchanges. A process that
 * has ended is like one after SIGKILL: a request on its way arrives, but no timer fires and no answer arrives, so none
 * of its code continues.
 */
export interface SimulatedProcess {
  readonly name: string
  /** Wrong by the skew. It stops with the process. */
  readonly clock: Clock
  isAlive(): boolean
  exchange<T>(exchange: Exchange, sides: ExchangeSides<T>): Promise<T>
  readonly observer: ProcessObserver | undefined
  /** Returns its running code: with the step on which it works, if there is one. */
  code(): RunningCode
  /** Resolves at once, after the freeze, or never if the process has ended. */
  whileStopped(): Promise<void>
  kill(): void
  /** Stops all its code for a time, in ms. Time passes. */
  freeze(milliseconds: number): void
  /** Sets the error of its clock, in ms ahead of the others. */
  skew(milliseconds: number): void
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
}

/** The event on which a function works. */
export interface RunningStep {
  /** The id of the event. */
  readonly event: string
  readonly kind: string
  /** Undefined: the object has no namespace. */
  readonly namespace: string | undefined
  readonly name: string
}

/** Code of a process. Timers and promises retain it, as in a real process. */
export interface RunningCode {
  readonly process: SimulatedProcess
  /** Undefined: the code does not work on an event. */
  readonly step?: RunningStep
}

/** Sees what crosses the border of processes. It changes nothing, and no process knows it. */
export interface ProcessObserver {
  /** Code sends a request, whatever becomes of it. */
  sent(code: RunningCode, exchange: Exchange): void
  /** A request of a process has arrived at an API server. */
  answered(code: RunningCode, request: TransportRequest, status: number): void
}
