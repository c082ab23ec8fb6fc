import type { Timestamp } from '../../../clock/clock.ts'
import type { Log } from '../../../log/log.ts'
import { messageOf } from '../../../text/message-of.ts'
import type { ServerCertificate, WebhookServer } from '../serve/server.ts'
import { type ComponentCertificates, UnreadableCertificateError } from './component-certificates.ts'
import { endsAt } from './trust.ts'

/** The parts of a server that set its certificates. */
type Showing = Pick<WebhookServer, 'setCertificate' | 'setDefaultCertificate'>

/** The certificates of a process, one for each component. A problem with one does not affect the others. */
export interface ShownCertificates {
  /**
   * Reads or creates missing certificates, and returns the first one. Throws only if none exists: `refresh` loads
   * missing ones later.
   */
  readonly open: () => Promise<ServerCertificate>
  /** Sets the certificates on the server, now and after each change. */
  readonly showOn: (server: Showing) => void
  /** Loads a newer certificate of a component. */
  readonly refresh: (component: string) => Promise<void>
  readonly components: readonly string[]
}

interface Shown {
  readonly component: string
  readonly certificates: ComponentCertificates
  shown: ServerCertificate | undefined
}

export const showCertificates = (
  all: readonly Pick<Shown, 'component' | 'certificates'>[],
  log: Log,
  /** Called when the server starts to show a certificate, with the earlier end of the certificate and its CA. */
  onShown: (component: string, validTo: Timestamp) => void,
): ShownCertificates => {
  const each: readonly Shown[] = all.map(one => ({ ...one, shown: undefined }))
  let server: Showing | undefined
  let byDefault: Shown | undefined

  const show = (one: Shown): void => {
    if (one.shown !== undefined) onShown(one.component, endOf(one.shown))
    if (server === undefined || one.shown === undefined) return
    server.setCertificate(one.certificates.hosts, one.shown)
    if (one === byDefault) server.setDefaultCertificate(one.shown)
  }
  const readOrMake = async ({ component, certificates }: Shown): Promise<ServerCertificate> => {
    const present = await certificates.read().catch((error: unknown) => {
      if (!(error instanceof UnreadableCertificateError)) throw error
      // There is no other certificate to show. This replica may become the leader, but only once it serves.
      log.warn('cannot use certificate', { component, error: error.message })
      return undefined
    })
    if (present !== undefined) return present
    const { server, replaced } = await certificates.generate(() => false)
    if (replaced.length > 0) log.warn('unusable Secrets replaced', { component, replaced })
    return (await certificates.read()) ?? server
  }

  return {
    components: each.map(({ component }) => component),
    open: async () => {
      const outcomes = await Promise.allSettled(
        each.map(async one => {
          one.shown ??= await readOrMake(one)
        }),
      )
      byDefault = each.find(({ shown }) => shown !== undefined)
      const failed = outcomes.flatMap((outcome, index) =>
        outcome.status === 'rejected' ? [{ component: each[index]?.component, reason: outcome.reason }] : [],
      )
      if (byDefault?.shown === undefined)
        throw failed[0]?.reason ?? new TypeError('there is no webhook to serve')
      for (const { component, reason } of failed)
        log.warn('component has no certificate yet', { component, error: messageOf(reason) })
      return byDefault.shown
    },
    showOn: shown => {
      server = shown
      for (const one of each) show(one)
    },
    refresh: async component => {
      const one = each.find(other => other.component === component)
      if (one === undefined) return
      const newest =
        one.shown === undefined ? await readOrMake(one) : ((await one.certificates.read()) ?? one.shown)
      if (newest.certificate === one.shown?.certificate) return
      one.shown = newest
      show(one)
      log.info('serving another certificate', { component })
    },
  }
}

/** The time from which callers refuse it. A certificate of ten years ends with its CA, which is valid for a month. */
const endOf = ({ certificate, authority }: ServerCertificate): Timestamp =>
  Math.min(endsAt(certificate), authority === undefined ? Number.POSITIVE_INFINITY : endsAt(authority))
