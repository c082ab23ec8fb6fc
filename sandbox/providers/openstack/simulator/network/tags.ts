import type { CloudItem, ItemKind } from '../core/items.ts'
import type { ResourceKind } from '../core/kind.ts'
import { jsonAnswer } from '../core/message.ts'
import { neutronRefusal } from '../core/refusal.ts'
import { invalidInput } from './refusals.ts'

const tagsOf = ({ tags }: CloudItem): readonly string[] => (Array.isArray(tags) ? tags : [])

/** The actions of Neutron on the tags of a resource (`neutron/extensions/tagging.py`). */
export const tagActionsOf = (kind: ItemKind): NonNullable<ResourceKind['actions']> => ({
  'GET tags': item => jsonAnswer(200, { tags: tagsOf(item) }),
  'PUT tags': (item, { tags }, { store }) => {
    if (!Array.isArray(tags)) throw invalidInput('Invalid tags body')
    const all = [...new Set(tags.map(String))]
    store.patch(kind, item.id, { tags: all })
    return jsonAnswer(200, { tags: all })
  },
  'PUT tags/*': (item, { segment }, { store }) => {
    store.patch(kind, item.id, { tags: [...new Set([...tagsOf(item), String(segment)])] })
    return jsonAnswer(201)
  },
  'DELETE tags/*': (item, { segment }, { store }) => {
    if (!tagsOf(item).includes(String(segment)))
      throw neutronRefusal(404, 'TagNotFound', `Tag ${segment} could not be found.`)
    store.patch(kind, item.id, { tags: tagsOf(item).filter(tag => tag !== segment) })
    return jsonAnswer(204)
  },
  'DELETE tags': (item, _, { store }) => {
    store.patch(kind, item.id, { tags: [] })
    return jsonAnswer(204)
  },
})
