/** The window's entry point. The first import must stay first: see there. */
import './connection/zod-jitless.ts';
import './ui/theme/tokens.css';
import './ui/theme/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { HostProvider } from './connection/HostProvider.tsx';
import { HostLink, openEnd } from './connection/host-link.ts';
import { followTextLook, followTheme } from './ui/theme/theme.ts';
import { HighlightProvider } from './viewer/highlight/text-highlights.tsx';

// What let the page in stays neither in the address nor in bookmarks: the cookie replaces it.
if (location.search !== '') history.replaceState(history.state, '', `${location.pathname}${location.hash}`);

followTheme();
followTextLook();
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
