import { writeFile } from 'node:fs/promises'
import type { ClusterAccess } from '../../../shared/kubernetes/kubernetes.ts'
import type { KnativePrograms } from '../programs/knative-programs.ts'
import { type RealCluster, startRealCluster } from '../real-cluster.ts'
import { type PodMachine, startPodMachine } from './machine/start-pod-machine.ts'
import { startKubeControllers } from './start-kube-controllers.ts'

/** A cluster whose Pods run in a machine on this host, once the machine serves its API server. */
export interface PodCluster extends RealCluster {
  /** Runs the Pods: their figures, their output, and signals to them. */
  readonly machine: PodMachine
  /** The access to the API server inside of the machine. */
  readonly apiServer: ClusterAccess
}

/** Starts kube-apiserver and kube-controller-manager in the network of a machine. All end together. */
export const startPodCluster = async (programs: KnativePrograms): Promise<PodCluster> => {
  const undo: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const machine = await startPodMachine(programs)
    undo.push(machine.close)
    const cluster = await startRealCluster(programs, { network: machine })
    undo.push(cluster.close)
    const { server } = cluster
    const apiServer = server.accessAt(`https://${machine.address}`)
    const kubeconfig = await server.kubeconfig(undefined, apiServer.server)
    const certificate = `${kubeconfig}.crt`
    await writeFile(certificate, (await apiServer.credentials()).tls?.ca ?? '')
    const { kubeControllerManager: program } = programs
    undo.push(startKubeControllers({ program, within: machine.within, kubeconfig, certificate }).stop)
    return { ...cluster, machine, apiServer, close }
  } catch (error) {
    await close()
    throw error
  }
}
