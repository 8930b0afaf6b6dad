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

# Of each agent whose shell reads BASH_ENV: a variable of its tool's commands, its processes that have it too, what stdout leads
# to, and the envelope around a command (program.ts).
our %SHELLS = ('@SHELLS@');
our ($is_unknown_envelope, %parent_has);

# Returns undef unless the agent's shell tool made the call. Other commands run bare.
sub command_of {
  my ($given) = @_;
  my ($marker, $parents, $output, $head, $is_quoted, @tails) = @{$SHELLS{$agent} || return $given};
  my $command = $head && command_in_envelope($given, $head, $is_quoted, @tails);
  return $command if $head && defined $command;
  return undef unless $ENV{$marker} && (!defined $parent_has{$marker} || $parents && parent_name() =~ /^$parents/);
  return undef if $output && (readlink("/proc/$$/fd/1") || '') !~ /$output/;
  $is_unknown_envelope = $head;
  return $given;
}

sub parent_name {
  open my $file, '<', "/proc/$parent/comm" or return '';
  return scalar <$file>;
}

# The agent's own name for its conversation; else the process that is the agent.
sub agent_session {
  for my $name (qw(CODEX_SESSION_ID COPILOT_AGENT_SESSION_ID CLAUDE_CODE_SESSION_ID)) {
    return $ENV{$name} if ($ENV{$name} || '') =~ /^[\w.-]{1,64}$/a;
  }
  return $1 if $agent eq 'claude-code' && (readlink("/proc/$$/fd/1") || '') =~ m{/claude-\d+/[^/]+/([0-9a-f-]{36})/tasks/}a;
  return "pid-$parent";
}

# The environment as it would be without us: as the agent itself was started, in what leads here.
sub restore_environment {
  delete @ENV{'PERL_BADLANG', 'PERL_SKIP_LOCALE_INIT'};
  $ENV{substr $_, 14} = delete $ENV{$_} for grep { /^SPILLWAY_KEPT_/ } keys %ENV;
  my $ours = $ENV{BASH_ENV};
  if (open my $file, '<', "/proc/$parent/environ") {
    local $/ = "\0";
    my $marker = $SHELLS{$agent} ? $SHELLS{$agent}[0] : '_';
    while (<$file>) { $parent_has{$1} = $2 if /^(BASH_ENV|SHLVL|_|$marker)=(.*)\0/s }
    for my $name (defined $ours ? 'SHLVL' : (), '_') {
      if (defined $parent_has{$name}) { $ENV{$name} = $parent_has{$name} } else { delete $ENV{$name} }
    }
  }
  return unless defined $ours && $ours =~ m{/bin/agents/[\w-]+\.bash$}a;
  delete $ENV{BASH_ENV};
  $ENV{BASH_ENV} = $parent_has{BASH_ENV} if defined $parent_has{BASH_ENV} && $parent_has{BASH_ENV} ne $ours;
}
