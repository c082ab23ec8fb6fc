import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Returns the violations that axe finds in a page. The browser runs it: the page's policy refuses foreign scripts. */
export const violationsIn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`${axe.source}; axe.run(document).then(({ violations }) =>
    violations.map(({ id, impact, nodes }) => impact + ' ' + id + ' ' + nodes.map(({ html }) => html).slice(0, 3).join(' | ')))`)
