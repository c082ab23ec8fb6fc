import { bootBridge } from '../process/boot-bridge.ts'

/** Starts the bridge's process with the times of its lease (`LeaseTimes`) from the environment, as JSON. */
bootBridge(JSON.parse(process.env.LEASE_TIMES ?? ''))
