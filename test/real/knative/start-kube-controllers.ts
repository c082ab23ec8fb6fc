import { type ServerProcess, startServerProcess } from '../server-process.ts'

/** The controllers that Pods, Services and namespaces need. Others would only use memory. */
const controllers = [
  ...['clusterrole-aggregation', 'cronjob', 'daemonset', 'deployment', 'disruption', 'endpoints'],
  ...['endpointslice', 'endpointslice-mirroring', 'garbage-collector', 'job', 'namespace'],
  ...['pod-garbage-collector', 'replicaset', 'root-ca-certificate-publisher', 'serviceaccount'],
  ...['serviceaccount-token', 'statefulset'],
].map(name => `${name}-controller`)

export interface KubeControllersOptions {
  readonly program: string
  /** The start of the command, which runs it in another network. */
  readonly within: readonly string[]
  readonly kubeconfig: string
  /** The certificate of kube-apiserver, for programs in Pods. */
  readonly certificate: string
}

/** Starts kube-controller-manager with the rights of its kubeconfig. */
export const startKubeControllers = ({
  program,
  within,
  kubeconfig,
  certificate,
}: KubeControllersOptions): ServerProcess => {
  const [command = '', ...args] = [
    ...within,
    program,
    ...[`--kubeconfig=${kubeconfig}`, `--root-ca-file=${certificate}`, `--controllers=${controllers.join()}`],
    // Neither a second one nor a scrape exists.
    ...['--leader-elect=false', '--secure-port=0'],
    // Default: 20 requests per second, which would delay the Endpoints of many Services.
    ...['--kube-api-qps=500', '--kube-api-burst=1000'],
  ]
  return startServerProcess({ command, args })
}
