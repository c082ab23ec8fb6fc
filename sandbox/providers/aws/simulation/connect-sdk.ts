import type { ConnectProcess } from '../../../simulation/simulation.ts'

/** The request handler of AWS' SDK, as far as the simulation needs it. */
interface RequestHandler {
  handle(
    request: {
      readonly method: string
      readonly hostname: string
      readonly path: string
      readonly body?: unknown
    },
    options?: { readonly abortSignal?: unknown },
  ): Promise<unknown>
}

/** Returns the connections to a simulated AWS. */
export const connectSdk =
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
          { way: 'cloud', isWrite: isWriteCall(request), about: callText(request) },
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

const isWriteCall = ({ method, body }: Parameters<RequestHandler['handle']>[0]): boolean =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  !/Action=(?:Describe|Get|List)/.test(
    body instanceof Uint8Array ? Buffer.from(body).toString() : String(body),
  )

/** `POST ec2.eu-west-1.amazonaws.com/ CreateVpc` */
const callText = ({ method, hostname, path, body }: Parameters<RequestHandler['handle']>[0]): string => {
  const [, action] = /(?:^|&)Action=(\w+)/.exec(typeof body === 'string' ? body : '') ?? []
  return `${method} ${hostname}${path}${action === undefined ? '' : ` ${action}`}`
}
