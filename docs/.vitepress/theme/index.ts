// The theme without its fonts: the site uses those of the system, and loads none.
import theme from 'vitepress/theme-without-fonts';
// Vite takes the styles of an import that is used for nothing else.
// oxlint-disable-next-line import/no-unassigned-import
import './style.css';

export default theme;
