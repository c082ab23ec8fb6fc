import http from 'node:http'
import https from 'node:https'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { V1Container, V1HTTPGetAction, V1LifecycleHandler } from '@kubernetes/client-node'
import type { RunningContainer } from '../container/start-container.ts'

export interface HandlerTarget {
  readonly container: Pick<V1Container, 'ports'>
  readonly running: Pick<RunningContainer, 'exec'>
  /** The Pod's address. */
  readonly address: string
}

/** Runs the handler of a probe or a hook from the node. Returns undefined if it succeeded, otherwise the reason. */
export const runHandler = async (
  { httpGet, tcpSocket, exec, sleep: pause }: V1LifecycleHandler,
  target: HandlerTarget,
  signal: AbortSignal,
): Promise<string | undefined> => {
  try {
    if (httpGet) return await get(httpGet, target, signal)
    if (tcpSocket) return await open(tcpSocket.host ?? target.address, portOf(tcpSocket.port, target), signal)
    if (pause) await sleep(pause.seconds * 1000, undefined, { signal })
    if (!exec) return undefined
    const { code, output } = await target.running.exec(exec.command ?? [], signal)
    return code === 0 ? undefined : `exit code ${code}: ${output}`
  } catch (error) {
    return String(error)
  }
}

const portOf = (port: number | string, { container }: HandlerTarget): number =>
  container.ports?.find(({ name }) => name === port)?.containerPort ?? Number(port)

const get = (
  { scheme, host, port, path = '/', httpHeaders = [] }: V1HTTPGetAction,
  target: HandlerTarget,
  signal: AbortSignal,
): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const secure = scheme === 'HTTPS'
    const options = {
      ...{ host: host ?? target.address, port: portOf(port, target), path, signal, agent: false as const },
      rejectUnauthorized: false,
      headers: {
        ...{ 'user-agent': 'kube-probe/1.36', accept: '*/*', connection: 'close' },
        ...Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value])),
      },
    }
    const request = (secure ? https : http).get(options, answer => {
      const { statusCode: status = 0 } = answer
      answer.resume()
      resolve(status >= 200 && status < 400 ? undefined : `status ${status}`)
    })
    request.once('error', reject)
  })

const open = (host: string, port: number, signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    const fail = () => socket.destroy(new Error('timeout'))
    signal.addEventListener('abort', fail, { once: true })
    socket.once('connect', () => {
      resolve(undefined)
      socket.destroy()
    })
    socket.once('error', reject).once('close', () => signal.removeEventListener('abort', fail))
  })
