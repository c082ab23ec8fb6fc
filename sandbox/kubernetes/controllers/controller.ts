import type { StoreEvent } from '../store/store.ts'

/**
 * Reacts to a write, like kube-controller-manager and the API server's own controllers. Runs within the request that
 * caused it, so the sandbox is deterministic.
 */
export type Controller = (resource: string, event: StoreEvent) => void
