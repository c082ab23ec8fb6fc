/**
 * The whole path in one deterministic process: API servers, clouds, brokers, bridges and functions on a virtual clock.
 * A seed determines the whole run.
 */

// First: it replaces builtins to which modules of the product take references when they are loaded.
import './determinism/deterministically.ts'

export type { CloudObserver, CloudSide, CloudSideOptions, CreateCloudSide } from './cloud-side.ts'
export { deterministically } from './determinism/deterministically.ts'
export {
  broken,
  type Invariant,
  invariants,
  needsToken,
  objectName,
  ofOthers,
  ownedByOthers,
} from './invariants/invariants.ts'
export { loadSimulatedCode } from './load-simulated-code.ts'
export type { ConnectProcess } from './process/connect-process.ts'
export { type Exchange, type Fate, type Fates, noFaults } from './process/exchange.ts'
export type { RunningStep } from './process/process.ts'
export { processTransport } from './process/process-transport.ts'
export { runningCode } from './process/running-code.ts'
export { createProcess, type SimulatedProcess } from './process/simulated-process.ts'
export { createRandom, type Random } from './random.ts'
export { restoreServer } from './restore-server.ts'
export {
  createSimulatedSeed,
  type DeliveryName,
  type SimulatedSeed,
  type SimulatedSeedOptions,
} from './seed/simulated-seed.ts'
export { simulatedHttp } from './shoots/simulated-http.ts'
export { createSimulatedShoots } from './shoots/simulated-shoots.ts'
export {
  type SimulatedCode,
  type SimulationOptions,
  simulate,
  type World,
  type WorldBackup,
  type WorldSeed,
} from './simulate.ts'
export type { SimulationClock } from './simulation-clock.ts'
