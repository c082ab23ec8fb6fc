import type { PassCall, TestCloud, TestThing } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import type { OpenStackConnection } from '../../../../terraform-free-infra/openstack/account/client/connection.ts'
import {
  passwordSecret,
  type ScriptedAnswer,
  tokenAnswer,
} from '../../../../terraform-free-infra/openstack/account/testing/scripted-cloud.ts'

/** A request after the login. `path`: the decoded segments below the version or the account. */
export interface ServedRequest {
  readonly method: string
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly body: string
}

export const secretData = passwordSecret().data

/** The answer of Keystone to a login with an application credential that was deleted. */
export const credentialGone: ScriptedAnswer = {
  status: 404,
  body: { error: { code: 404, title: 'Not Found', message: 'Could not find Application Credential: 1.' } },
}

/** A cloud whose services are a function. Every call is in `calls`: `GET zones/1/recordsets`. */
export const servedCloud = (
  serve: (request: ServedRequest) => ScriptedAnswer,
  things: () => readonly TestThing[],
) => {
  const calls: string[] = []
  const bodies: string[] = []
  const hosts = new Set<string>()
  const state = { project: 'project-1', /** Called before each answer. */ wait: async () => {} }
  /** Answers in place of the service's, by method and the begin of the path. Each is used once. */
  const faults: {
    readonly call: string
    readonly answer: ScriptedAnswer | Error
    readonly applies?: boolean
  }[] = []
  let pass: PassCall = (_, work) => work()
  const connection: OpenStackConnection = {
    send: async ({ method, url, body = '' }) => {
      const { pathname, searchParams, host } = new URL(url)
      hosts.add(host)
      const isLogin = pathname === '/v3/auth/tokens'
      const path = pathname
        .replace(/^\/v2\/|^\/v1\/AUTH_1\/?/, '')
        .split('/')
        .map(decodeURIComponent)
      const call = isLogin ? 'login' : `${method} ${path.join('/')}`
      const answerOf = (): ScriptedAnswer => {
        const index = faults.findIndex(one => call.startsWith(one.call))
        const [fault] = index === -1 ? [] : faults.splice(index, 1)
        if (fault === undefined || fault.applies) {
          const login = JSON.stringify(tokenAnswer(1)).replace('project-1', state.project)
          const answer = isLogin ? JSON.parse(login) : serve({ method, path, query: searchParams, body })
          if (fault === undefined) return answer
        }
        if (fault.answer instanceof Error) throw fault.answer
        return fault.answer
      }
      return pass({ name: call, isRead: isLogin || method === 'GET' || method === 'HEAD' }, async () => {
        await state.wait()
        calls.push(call)
        if (body !== '' && !isLogin) bodies.push(body)
        const { status = 200, headers = {}, body: content = '' } = answerOf()
        const isText = typeof content === 'string'
        return {
          status,
          headers: { ...(!isText && { 'content-type': 'application/json' }), ...headers },
          body: isText ? content : JSON.stringify(content),
        }
      })
    },
  }
  const cloud: TestCloud = {
    things: () => things(),
    passCalls: given => {
      pass = given
    },
    connection,
  }
  return { cloud, connection, calls, bodies, hosts, faults, state }
}
