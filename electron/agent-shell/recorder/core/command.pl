# Finds the command as the agent wrote it in what the shell was given, and the agent's name.

# The shell's own argument that holds the command; undef when this is no `-c`.
sub command_argument {
  my $has_command;
  for (my $at = 1; $at < @words; $at++) {
    my $word = $words[$at];
    return $has_command ? $word : undef if $word !~ /^[-+]./ || $at > 1 && $words[$at - 1] eq '--';
    $has_command ||= $word =~ /^-[a-zA-Z]*c/a;
    # These have a value.
    $at++ if $word =~ /^(?:[-+][a-zA-Z]*[oO]|--rcfile|--init-file)\z/a;
  }
  return undef;
}

# Returns undef unless the agent's shell tool made the call. Other commands run bare.
sub command_of {
  my ($given) = @_;
  # source SNAPSHOT … && eval 'COMMAND' < /dev/null && pwd -P >| FILE
  if ($agent eq 'claude-code') {
    return undef unless $given =~ m{(?:^|&& )eval ((?:[^\s'"\\;&|<>()]|'[^']*'|"(?:[^"\\]|\\.)*"|\\.)+)(?: \\?< ?/dev/null)? && pwd -P >\| \S+\s*\z}as;
    my $word = $1;
    return $word =~ /^'([^']*)'\z/ ? $1 : unquote($word);
  }
  return $agent eq 'codex' || $agent eq 'gemini' ? command_in_envelope($given) : $given;
}

# The agent's own name for its conversation; else the process that is the agent.
sub agent_session {
  for my $name (qw(CODEX_SESSION_ID COPILOT_AGENT_SESSION_ID CLAUDE_CODE_SESSION_ID)) {
    return $ENV{$name} if ($ENV{$name} || '') =~ /^[\w.-]{1,64}$/a;
  }
  return $1 if $agent eq 'claude-code' && (readlink("/proc/$$/fd/1") || '') =~ m{/claude-\d+/[^/]+/([0-9a-f-]{36})/tasks/}a;
  return 'pid-' . getppid;
}

# Captures of one conversation in one project lie together.
sub session_name {
  my ($agent_session, $cwd) = @_;
  return $ENV{SPILLWAY_SESSION} if ($ENV{SPILLWAY_SESSION} || '') ne '';
  # The nearest folder with a repository; else the working directory itself.
  my $folder = $cwd;
  $folder =~ s{/[^/]*$}{} while $folder =~ m{^/.} && !-e "$folder/.git";
  my ($project) = ($folder =~ m{^/.} ? $folder : $cwd) =~ m{([^/]+)/*$};
  $project = 'root' unless defined $project;
  $project =~ s/[^\x20-\x7e]/_/g;
  return join ' ', $agent, $project, substr $agent_session, $agent_session =~ /^pid-/ ? 0 : -12;
}

# The environment as it would be without us: as the agent itself was started, in what leads here.
sub restore_environment {
  delete @ENV{'PERL_BADLANG', 'PERL_SKIP_LOCALE_INIT'};
  $ENV{substr $_, 14} = delete $ENV{$_} for grep { /^SPILLWAY_KEPT_/ } keys %ENV;
  my $ours = $ENV{BASH_ENV};
  my %agents;
  if (open my $file, '<', '/proc/' . getppid . '/environ') {
    local $/ = "\0";
    while (<$file>) { $agents{$1} = $2 if /^(BASH_ENV|SHLVL|_)=(.*)\0/s }
    for my $name (defined $ours ? 'SHLVL' : (), '_') {
      if (defined $agents{$name}) { $ENV{$name} = $agents{$name} } else { delete $ENV{$name} }
    }
  }
  return unless defined $ours && $ours =~ m{/bin/agents/[\w-]+\.bash$}a;
  delete $ENV{BASH_ENV};
  $ENV{BASH_ENV} = $agents{BASH_ENV} if defined $agents{BASH_ENV} && $agents{BASH_ENV} ne $ours;
}
