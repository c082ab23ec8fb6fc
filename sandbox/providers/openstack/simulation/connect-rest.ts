import type { OpenStackConnection } from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import type { ConnectProcess } from '../../../simulation/simulation.ts'
import { placeOfUrl } from '../simulator/openstack.ts'

type RestRequest = Parameters<OpenStackConnection['send']>[0]
export type RestAnswer = Awaited<ReturnType<OpenStackConnection['send']>>

/** Returns the connections to a simulated OpenStack. */
export const connectRest =
  (connection: OpenStackConnection): ConnectProcess =>
  (process): OpenStackConnection => ({
    ...connection,
    send: request =>
      process.exchange<RestAnswer>(
        { way: 'cloud', isWrite: isWriteCall(request), about: callText(request) },
        {
          signal: request.signal,
          act: () => connection.send({ ...request, signal: never }),
          refuse: status => refusedAnswer(request, status),
          broken: () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
        },
      ),
  })

/** A request that has been sent takes effect. */
const never = new AbortController().signal

export const isWriteCall = ({ method, url }: { readonly method: string; readonly url: string }): boolean =>
  method !== 'GET' && method !== 'HEAD' && placeOfUrl(url).service !== 'identity'

/** `POST network /v2.0/networks shoot--garden--iris` */
const callText = ({ method, url, body = '' }: RestRequest): string => {
  const { service, path } = placeOfUrl(url)
  const [, name] = /"name":"([^"]+)"/.exec(body) ?? []
  return `${method} ${service} ${path}${isWriteCall({ method, url }) && name !== undefined ? ` ${name}` : ''}`
}

/** Answers as the service or, for 503 and 504, as a proxy before it. */
export const refusedAnswer = (
  { url, method }: Pick<RestRequest, 'url' | 'method'>,
  status: number,
): RestAnswer => {
  const { service } = placeOfUrl(url)
  const html = (headers: RestAnswer['headers']) => ({
    status,
    headers: { 'content-type': 'text/html', ...headers },
    body: `<html><h1>HTTP status ${status}</h1></html>`,
  })
  if (status >= 503) return html({})
  if (service === 'object-store') return html({ 'x-trans-id': 'tx0', 'x-openstack-request-id': 'tx0' })
  const message = `${method} is refused for a while`
  const body = bodyOf(service, method, status, message)
  const headers = { 'content-type': 'application/json', 'x-openstack-request-id': 'req-0' }
  return { status, headers, body: JSON.stringify(body) }
}

const titles: Readonly<Record<number, readonly [neutron: string, nova: string, designate: string]>> = {
  403: ['PolicyNotAuthorized', 'forbidden', 'forbidden'],
  404: ['HTTPNotFound', 'itemNotFound', 'not_found'],
  409: ['Conflict', 'conflictingRequest', 'conflict'],
  429: ['TooManyRequests', 'overLimit', 'over_limit'],
  500: ['HTTPInternalServerError', 'computeFault', 'unknown'],
}

const bodyOf = (service: string, method: string, status: number, message: string): object => {
  const [neutron, nova, designate] = titles[status] ?? ['', '', '']
  switch (service) {
    case 'identity':
      return { error: { code: status, title: 'Refused', message } }
    case 'network':
      return {
        NeutronError: {
          type: status === 409 && method === 'POST' ? 'OverQuota' : neutron,
          message: status === 409 && method === 'POST' ? 'Quota exceeded for resources.' : message,
          detail: '',
        },
      }
    case 'dns':
      return { code: status, type: designate, message }
    case 'load-balancer':
      return { faultcode: 'Server', faultstring: message, debuginfo: null }
    default:
      return { [String(nova)]: { code: status, message } }
  }
}
