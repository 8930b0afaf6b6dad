/** The window's entry point. The first import must stay first: see there. */
import './connection/zod-jitless.ts';
import './theme/tokens.css';
import './theme/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { HostProvider } from './connection/HostProvider.tsx';
import { HostLink } from './connection/host-link.ts';
import { openEnd } from './connection/open-end.ts';
import { HighlightProvider } from './highlight/HighlightProvider.tsx';
import { followTheme } from './theme/theme.ts';

// What let the page in stays neither in the address nor in bookmarks: the cookie replaces it.
if (location.search !== '') history.replaceState(history.state, '', `${location.pathname}${location.hash}`);

followTheme();
const link = new HostLink(openEnd);
// Connect to the host while the first frame is drawn.
link.start();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <HostProvider link={link}>
        <HighlightProvider>
          <App />
        </HighlightProvider>
      </HostProvider>
    </CSPProvider>
  </StrictMode>,
);
