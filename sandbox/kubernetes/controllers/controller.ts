import type { StoreEvent } from '../store/store.ts'

/**
 * What kube-controller-manager and the API server's own controllers do after a write. Runs within the request
 * that caused it, so that the sandbox behaves the same each time.
 */
export type Controller = (resource: string, event: StoreEvent) => void
