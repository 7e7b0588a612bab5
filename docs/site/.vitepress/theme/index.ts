/** The theme of the site: VitePress's own, with a page for an address that has none. */
import { h } from 'vue'
import DefaultTheme from 'vitepress/theme-without-fonts'
import NotFound from './NotFound.vue'
import './site.css'

export default { extends: DefaultTheme, Layout: () => h(DefaultTheme.Layout, null, { 'not-found': () => h(NotFound) }) }
