import { createKubernetes, type Transport } from '../../../shared/kubernetes/kubernetes.ts'
import type { SimulatedProcess } from './simulated-process.ts'

/** Returns the `connection` of a function in a process, whose calls are exchanges of the process. */
export type ConnectProcess = (process: SimulatedProcess) => unknown

/** The request handler of AWS' SDK, as far as the simulation needs it. */
interface RequestHandler {
  handle(
    request: { readonly method: string; readonly hostname: string; readonly path: string; readonly body?: unknown },
    options?: { readonly abortSignal?: unknown },
  ): Promise<unknown>
}

/** Returns the connections to a simulated AWS. */
export const connectAws =
  <H extends RequestHandler>(
    requestHandler: H,
    /** Makes the next call fail as AWS does: 429 is a throttled one. */
    refuseNext: (status: number) => void,
  ): ConnectProcess =>
  process => ({
    requestHandler: {
      ...requestHandler,
      handle: (...input: Parameters<RequestHandler['handle']>) => {
        const [request, options] = input
        const signal = options?.abortSignal
        const act = () => requestHandler.handle(...input)
        return process.exchange(
          { way: 'cloud', isWrite: isAwsWrite(request), about: awsCall(request) },
          {
            signal: signal instanceof AbortSignal ? signal : undefined,
            act,
            refuse: status => {
              refuseNext(status)
              return act()
            },
            broken: () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
          },
        )
      },
    },
  })

const isAwsWrite = ({ method, body }: Parameters<RequestHandler['handle']>[0]): boolean =>
  method !== 'GET' && method !== 'HEAD' && !/Action=(?:Describe|Get|List)/.test(String(body))

/** `POST ec2.eu-west-1.amazonaws.com/ CreateVpc` */
const awsCall = ({ method, hostname, path, body }: Parameters<RequestHandler['handle']>[0]): string => {
  const [, action] = /(?:^|&)Action=(\w+)/.exec(typeof body === 'string' ? body : '') ?? []
  return `${method} ${hostname}${path}${action === undefined ? '' : ` ${action}`}`
}

/** Returns the connections to a provider cluster that is reached by this transport. */
export const connectCluster =
  (transport: Transport, clusterTransport: (process: SimulatedProcess, to: Transport) => Transport): ((process: SimulatedProcess) => ReturnType<typeof createKubernetes>) =>
  process =>
    createKubernetes({ transport: clusterTransport(process, transport), clock: process.clock })
