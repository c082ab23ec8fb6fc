import { leaseOf } from '../../../bridge/bridge.ts'
import { parseTimestamp } from '../../../shared/clock/clock.ts'
import { hasReadNothing, objectsOf, serverNow } from '../checked-seed.ts'
import { type DoctorCheck, ok, problem, warning } from '../diagnosis.ts'

/** A larger difference means that the clocks are not synchronized to the same source. */
const odd = 5_000
/** A claim lasts 75 s: if clocks differ by nearly that, a running step may seem dead (decision 0020). */
const harmful = 60_000

const setClock = 'have chrony or systemd-timesyncd set the clock: timedatectl status'

export const clockChecks: readonly DoctorCheck[] = [
  {
    area: 'clocks',
    about: 'clocks of this machine and the API server',
    needs: [],
    run: seed => {
      const { date, askedAt, answeredAt } = seed.server
      if (date === undefined) return []
      // The header is truncated to whole seconds, and was written between the two times.
      const skew = date > answeredAt ? date - answeredAt : date + 1_000 < askedAt ? date + 1_000 - askedAt : 0
      const text = `the API server is ${Math.abs(skew / 1000).toFixed(1)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine`
      if (Math.abs(skew) > odd) return [warning(text, `${setClock}, on this machine first`)]
      return hasReadNothing(seed) ? [] : [ok('this machine and the API server have the same time')]
    },
  },
  {
    area: 'clocks',
    about: 'clocks of the nodes and the API server',
    needs: ['leases'],
    run: seed =>
      objectsOf(seed, 'leases').flatMap(lease => {
        const { renewTime, holder } = leaseOf(lease)
        const ahead = (parseTimestamp(renewTime) ?? 0) - (serverNow(seed) + 1_000)
        // A lease that is behind looks like one that is not renewed; the bridge's check reports that.
        if (ahead <= odd) return []
        const text = `the node of ${holder.replace(/_.*/, '')} is at least ${Math.round(ahead / 1000)} s ahead of the API server (Lease ${lease.metadata.name})`
        return [ahead > harmful ? problem(text, setClock) : warning(text, setClock)]
      }),
  },
]
