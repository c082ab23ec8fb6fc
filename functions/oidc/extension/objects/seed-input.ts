export interface SeedInput {
  readonly namespace: string
  /** 0 while the shoot is hibernated. */
  readonly replicas: number
  readonly image: string
  /** Names of Secrets: with its certificate, and with the kubeconfig shared by all components. */
  readonly serverSecret: string
  readonly genericKubeconfig: string
  /** The Deployment of the API server that uses it. */
  readonly apiServer: string
  readonly priorityClass: string
  /** The Prometheus that scrapes it. */
  readonly prometheus: 'shoot' | 'garden'
}
