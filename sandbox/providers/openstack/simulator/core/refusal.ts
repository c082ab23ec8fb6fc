/** A service refuses a request. An object as body is sent as JSON, a text as HTML. */
export class ServiceRefusal extends Error {
  override readonly name = 'ServiceRefusal'
  readonly status: number
  readonly body: object | string

  constructor(status: number, body: object | string) {
    super(`HTTP status ${status}`)
    this.status = status
    this.body = body
  }
}

/** Neutron: `neutron_lib/exceptions`. */
export const neutronRefusal = (status: number, type: string, message: string): ServiceRefusal =>
  new ServiceRefusal(status, { NeutronError: { type, message, detail: '' } })

/** The names of Nova's errors by status (`nova/api/openstack/wsgi.py`). */
const novaNames: Readonly<Record<number, string>> = {
  400: 'badRequest',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'itemNotFound',
  405: 'badMethod',
  409: 'conflictingRequest',
  429: 'overLimit',
  503: 'serviceUnavailable',
}

/** Nova, and Manila, which has the same form. */
export const novaRefusal = (code: number, message: string): ServiceRefusal =>
  new ServiceRefusal(code, { [novaNames[code] ?? 'computeFault']: { code, message } })

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
}

export const keystoneRefusal = (code: number, message: string): ServiceRefusal =>
  new ServiceRefusal(code, { error: { code, message, title: titles[code] ?? '' } })

/** Keystone gives one answer for a wrong user, password, domain and project. */
export const unauthenticated = (): ServiceRefusal =>
  keystoneRefusal(401, 'The request you have made requires authentication.')

/** A field that Designate refuses. */
export interface FieldProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly validator: string
  readonly validator_value: unknown
}

/** Designate: `designate/exceptions.py`. Its answers about fields have no message. */
export const designateRefusal = (
  code: number,
  type: string,
  content: string | readonly FieldProblem[],
): ServiceRefusal =>
  new ServiceRefusal(code, {
    code,
    type,
    ...(typeof content === 'string' ? { message: content } : { errors: { errors: content } }),
    request_id: 'req-00000000-0000-0000-0000-000000000000',
  })

export const octaviaRefusal = (status: number, faultstring: string): ServiceRefusal =>
  new ServiceRefusal(status, { faultcode: 'Client', faultstring, debuginfo: null })

/** Swift and Glance answer in HTML. */
export const htmlRefusal = (status: number, text: string): ServiceRefusal =>
  new ServiceRefusal(status, `<html><h1>${titles[status] ?? ''}</h1><p>${text}</p></html>`)
