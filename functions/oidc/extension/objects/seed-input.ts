/** What the objects in the seed are made by. */
export interface SeedInput {
  readonly namespace: string
  /** 0 while the shoot sleeps. */
  readonly replicas: number
  readonly image: string
  /** Names of Secrets: of its certificate, and of the kubeconfig that all components share. */
  readonly serverSecret: string
  readonly genericKubeconfig: string
  /** The Deployment of the API server that it belongs to. */
  readonly apiServer: string
  readonly priorityClass: string
  /** Which Prometheus scrapes it. */
  readonly prometheus: 'shoot' | 'garden'
}
