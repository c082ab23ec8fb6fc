/** For tests of providers: the classes and deployments of a Worker, without a seed. */
export { desiredWorker } from '../desired/desired-worker.ts'
